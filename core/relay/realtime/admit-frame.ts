import type { JsonObject } from '../../contract/json.ts'
import { checkJson } from '../../http/bodies/read-json.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { HookDeps } from '../call/relay-deps.ts'
import { runHooks } from '../hooks/run-hooks.ts'
import { parseFrame, textOf, type Frame } from './frames.ts'
import type { SessionProtocol } from './protocols/session-protocol.ts'

/** In a session prompts come in frames, so the checks of prompts run for each frame of the client that has one.
 *  @returns the frame, if it is an object
 *  @throws AppError if it may not be passed on */
export async function admitFrame(
  data: Frame,
  call: AdmittedCall,
  protocol: SessionProtocol,
  deps: HookDeps,
): Promise<JsonObject | undefined> {
  const text = textOf(data)
  if (typeof data === 'string' || /^\s*\{/.test(text)) checkJson(text)
  const frame = parseFrame(data)
  const isAsked = frame && deps.hooks('relay.admit').length > 0
  const prompt = isAsked ? protocol.promptOf(frame) : undefined
  if (prompt) await runHooks('relay.admit', { ...call, body: prompt, view: undefined }, deps)
  return frame
}
