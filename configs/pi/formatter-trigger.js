// policy-hooks: written by `hook-runner init`. Each program is started without a shell and reads one JSON object.
// Before a tool, whatever is not an answer denies: a missing program, one that is late, and one that prints something else.
import { spawn } from "node:child_process"

const HOOKS = {
  "tool_result": [
    {
      "args": [],
      "exec": "formatter-trigger",
      "timeout": 30
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

import { homedir } from "node:os"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"

// The path that the tools for files would read in this one, so that what is judged is what runs.
const ON_FILES = ["read", "edit", "write", "grep", "find", "ls"]
const WINDOWS = process.platform === "win32"
function settled(path, cwd) {
  const plain = path.replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, " ").replace(/^@/, "")
  // Pi knows what `/c/x` is there.
  if (WINDOWS && plain.startsWith("/")) return plain
  if (/^file:\/\//.test(plain)) return fileURLToPath(plain)
  return resolve(cwd, plain.replace(WINDOWS ? /^~(?=$|[\\/])/ : /^~(?=$|\/)/, homedir()))
}

export default function (pi) {
  const told = []
  let pushed = false
  const base = (ctx) => ({ session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd })
  const call = (event, ctx) => ({
    ...base(ctx), tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId,
  })
  const tell = async (event, payload) => {
    const { context } = await ask(event, payload)
    if (context) told.push(context)
  }
  pi.on("session_start", (event, ctx) => tell("session_start", { ...base(ctx), source: event.reason }))
  pi.on("session_shutdown", (event, ctx) => tell("session_shutdown", { ...base(ctx), reason: event.reason }))
  pi.on("input", async (event, ctx) => {
    pushed = false
    await tell("input", { ...base(ctx), prompt: event.text })
  })
  pi.on("before_agent_start", () => {
    const content = told.splice(0).join("\n\n")
    if (content) return { message: { customType: "policy-hooks", content, display: false } }
  })
  // What is thrown here denies, too.
  pi.on("tool_call", async (event, ctx) => {
    const { toolName, input } = event
    if (ON_FILES.includes(toolName) && typeof input.path === "string") input.path = settled(input.path, ctx.cwd)
    const { blocked } = await ask("tool_call", call(event, ctx), true)
    if (blocked) return { block: true, reason: blocked }
  })
  pi.on("tool_result", async (event, ctx) => {
    const said = event.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
    const { context } = await ask("tool_result", { ...call(event, ctx), tool_response: said })
    if (!context) return
    const content = [...event.content, { type: "text", text: context }]
    return { content, structuredContent: event.structuredContent }
  })
  pi.on("agent_before_settle", async (event, ctx) => {
    if (event.outcome !== "completed") return
    const { blocked } = await ask("agent_before_settle", { ...base(ctx), stop_hook_active: pushed })
    if (!blocked) return
    pushed = true
    const entry = { type: "custom_message", customType: "policy-hooks", content: blocked, display: true }
    return { continue: true, entries: [entry] }
  })
}
