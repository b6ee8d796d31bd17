"""Pictures and stories in the formats of other programs: PNG, PDF, PPTX, GIF, Mermaid, draw.io, GraphML."""
