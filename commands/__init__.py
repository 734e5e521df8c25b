"""What `python -m heft COMMAND` and `blender --command heft COMMAND` do, one command a file."""
