// The whole answer of an upstream of each dialect for a text, with the usage that a test gives.

export const claudeAnswer = (text: string, input: number, output: number) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { input_tokens: input, output_tokens: output },
})

export const geminiAnswer = (text: string, input: number, output: number) => ({
  candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: input, candidatesTokenCount: output },
})

export const responsesAnswer = (text: string, input: number, output: number) => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
  usage: { input_tokens: input, output_tokens: output },
})
