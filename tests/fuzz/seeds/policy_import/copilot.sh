#!/bin/sh
# How the team starts it.
copilot --allow-tool 'shell(git status)' --allow-tool='shell(npm:*)' \
  --allow-tool 'shell(npm test)' --allow-tool 'write' 'write(src/a.ts)' \
  --allow-tool 'MyMCP(my_tool),Other' --allow-tool 'shell' \
  --deny-tool 'shell(rm)' --deny-tool='shell(git push)' --deny-tool 'write(.env)' \
  --deny-tool 'MyMCP(delete_it)' --deny-tool 'read(/etc/shadow)' --deny-tool 'memory' \
  --allow-url=github.com --deny-url=https://malicious.example --deny-tool 'url(http://10.0.0.1/x)' \
  --allow-all-tools --add-dir ../x
