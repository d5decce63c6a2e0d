export const PolicyHooks = async ({ client, directory }) => {
  const told = new Map()
  const pushed = new Set()
  const base = (sessionID) => ({ session_id: sessionID, cwd: directory })
  return {
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      const call = { ...base(sessionID), tool_name: tool, tool_input: args, tool_use_id: callID }
      const { blocked } = await ask("tool.execute.before", call, true)
      if (blocked) throw new Error(blocked)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, result) => {
      const call = { ...base(sessionID), tool_name: tool, tool_input: args, tool_use_id: callID }
      const { context } = await ask("tool.execute.after", { ...call, tool_response: result?.output ?? null })
      if (context && typeof result?.output === "string") result.output += `\n\n${context}`
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      const prompt = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
      if (!pushed.delete(`${sessionID} ${prompt}`)) pushed.delete(sessionID)
      await ask("chat.message", { ...base(sessionID), prompt })
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (!sessionID) return
      if (!told.has(sessionID)) told.set(sessionID, ask("session.created", { ...base(sessionID), source: "startup" }))
      const { context } = await told.get(sessionID)
      if (context) system.push(context)
    },
    event: async ({ event }) => {
      if (event.type !== "session.idle" || !HOOKS["session.idle"]) return
      const { sessionID } = event.properties
      const { data } = await client.session.get({ path: { id: sessionID } })
      // A sub-agent's end is a result to the agent that started it.
      if (data?.parentID) return
      const { blocked } = await ask("session.idle", { ...base(sessionID), stop_hook_active: pushed.has(sessionID) })
      if (!blocked) return
      pushed.add(sessionID).add(`${sessionID} ${blocked}`)
      await client.session.promptAsync({ path: { id: sessionID }, body: { parts: [{ type: "text", text: blocked }] } })
    },
  }
}
