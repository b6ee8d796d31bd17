"""Files that have MQSC, or more about queue managers: YAML, JCL, CCDTs in JSON, and qm.ini; their lines are kept."""
