"""What surrounds the lab: set-up, the doctor, the guided tour, JupyterLab, the notebook runner."""
