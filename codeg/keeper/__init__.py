"""The keeper: a small program that starts one agent, owns its process tree and outlives its host by seconds.

Contract 7. Run as `<absolute python> -I -m codeg.keeper FD`. The modules of this folder use the standard library alone;
the host shares `messages` and the view of the process table with it, and never imports the program itself.
"""
