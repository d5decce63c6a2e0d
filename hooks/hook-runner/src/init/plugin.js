// MARK. Each program is started without a shell and reads one JSON object.
// Before a tool, whatever is not an answer denies: a missing program, one that is late, and one that prints something else.
import { spawn } from "node:child_process"

const HOOKS = {}
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
