"""Bridges to other products: the IMS bridge of z/OS, and the xCoupler adapter: an extra."""
