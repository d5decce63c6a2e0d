// The chat model of the tests in VS Code: it asks the scripted model that the other hosts ask, by the same protocol.
const vscode = require('vscode');

const MODEL = {
  id: 'scripted-1', name: 'Scripted', family: process.env.SCRIPTED_FAMILY || 'gpt-4.1', version: '1',
  maxInputTokens: Number(process.env.SCRIPTED_WINDOW || 100000), maxOutputTokens: 8000,
  capabilities: { toolCalling: true, imageInput: false },
};

const { User, Assistant } = vscode.LanguageModelChatMessageRole;
const text = (part) => (typeof part.value === 'string' ? part.value : JSON.stringify(part.value ?? part));

/** A message as the protocol has it: results of calls are messages of their own there. */
function* spoken({ role, content }) {
  const of = (kind) => content.filter((part) => part instanceof kind);
  for (const result of of(vscode.LanguageModelToolResultPart)) {
    yield { role: 'tool', tool_call_id: result.callId, content: result.content.map(text).join('') };
  }
  yield {
    role: role === Assistant ? 'assistant' : role === User ? 'user' : 'system',
    content: of(vscode.LanguageModelTextPart).map(text).join(''),
    tool_calls: of(vscode.LanguageModelToolCallPart).map((call) => ({
      id: call.callId, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) },
    })),
  };
}

exports.activate = (context) => {
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('scripted', {
    provideLanguageModelChatInformation: () => [MODEL],
    provideTokenCount: (_model, given) => Math.ceil((typeof given === 'string' ? given : JSON.stringify(given)).length / 4),
    provideLanguageModelChatResponse: async (_model, messages, { tools = [] }, progress) => {
      const body = JSON.stringify({ model: MODEL.id, messages: messages.flatMap((m) => [...spoken(m)]), tools });
      // No real model answers at once, and VS Code saves a created file only after its tool has returned.
      const pause = new Promise((done) => setTimeout(done, Number(process.env.SCRIPTED_PAUSE || 1500)));
      const response = await fetch(`${process.env.SCRIPTED_MODEL}/v1/chat/completions`, { method: 'POST', body });
      const { message } = (await response.json()).choices[0];
      if (tools.length) await pause;
      if (message.content) progress.report(new vscode.LanguageModelTextPart(message.content));
      for (const call of message.tool_calls ?? []) {
        progress.report(new vscode.LanguageModelToolCallPart(call.id, call.function.name, JSON.parse(call.function.arguments)));
      }
    },
  }));
};
