"""An independent second answer for every floating operator; scripts/oracle.py is the door."""
