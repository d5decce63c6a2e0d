// policy-hooks: written by `hook-runner init`. Each program is started without a shell and reads one JSON object.
// Before a tool, whatever is not an answer denies: a missing program, one that is late, and one that prints something else.
import { spawn } from "node:child_process"

const HOOKS = {
  "tool.execute.before": [
    {
      "args": [],
      "exec": "approval-gate",
      "timeout": 10
    }
  ]
}
// End of the hooks.

function run({ exec, args, timeout }, payload) {
  return new Promise((resolve) => {
    let out = ""
    let err = ""
    let timer
    const end = (trouble) => {
      clearTimeout(timer)
      resolve({ trouble, out, err })
    }
    const child = spawn(exec, args, { cwd: payload.cwd })
    timer = setTimeout(() => {
      child.kill("SIGKILL")
      end(`did not answer in ${timeout} s`)
    }, timeout * 1000)
    child.on("error", (error) => end(`does not start (${error.message})`))
    child.on("close", (code, signal) => end(code === 0 ? "" : `ended with ${signal ?? code}`))
    child.stdout.setEncoding("utf8").on("data", (data) => (out += data))
    child.stderr.setEncoding("utf8").on("data", (data) => (err += data))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(payload))
  })
}

// What the programs of an event say: the first that objects, and what the others add for the model.
async function ask(event, payload, mustAnswer = false) {
  const contexts = []
  for (const hook of HOOKS[event] ?? []) {
    const { trouble, out, err } = await run(hook, { event, ...payload })
    let answer
    try {
      answer = JSON.parse(out)
    } catch {}
    const isAnswer = answer !== null && typeof answer === "object" && !Array.isArray(answer)
    if (isAnswer && answer.decision === "block") return { blocked: answer.reason || err || "policy-hooks: denied." }
    if (trouble || !isAnswer) {
      const why = `policy-hooks: ${hook.exec} ${trouble || "gave no answer"}`
      if (mustAnswer) return { blocked: `${why}, so the call is denied. ${err}`.trim() }
      continue
    }
    if (typeof answer.context === "string") contexts.push(answer.context)
  }
  return { context: contexts.join("\n\n") }
}

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
