"""The contact forces that fit a motion best."""
