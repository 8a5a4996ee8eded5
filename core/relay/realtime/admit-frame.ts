import { role } from '../../contract/constants.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { checkJson } from '../../http/bodies/read-json.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import type { AdmitDeps, HookDeps } from '../call/relay-deps.ts'
import { checkBeside } from '../charge/check-drawing.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { runHooks } from '../hooks/run-hooks.ts'
import { refusePairs } from '../intake/known-fields.ts'
import { repeatedKey } from '../intake/repeated-keys.ts'
import { parseFrame, textOf, type Frame } from './frames.ts'
import type { Delegate } from './realtime-bill.ts'
import type { SessionProtocol } from './protocols/session-protocol.ts'

const LONGEST_NAME_SHOWN = 100

/** A frame of the client that may be passed on. */
export interface AdmittedFrame {
  /** Undefined if the frame is no object. */
  frame: JsonObject | undefined
  /** The model to which the session is to delegate work from now on. */
  delegate: Delegate | undefined
}

/** In a session prompts and names of models come in frames, so what is checked of other calls at their start is checked for each frame.
 *  @throws AppError if it may not be passed on */
export async function admitFrame(
  frame: JsonObject | undefined,
  call: AdmittedCall,
  protocol: SessionProtocol,
  deps: HookDeps & AdmitDeps,
): Promise<AdmittedFrame> {
  if (!frame) return { frame, delegate: undefined }
  protocol.refusePaidWishes?.(frame)
  const prompt = deps.hooks('relay.admit').length > 0 ? protocol.promptOf(frame) : undefined
  if (prompt) await runHooks('relay.admit', { ...call, body: prompt, view: undefined }, deps)
  return { frame, delegate: delegateOf(frame, call, protocol, deps) }
}

/** Every field has one name and one value: the upstream gets the text as it is, and could read another one than the gateway. Nothing is parsed before
 *  its depth and size are known.
 *  @returns undefined for what is no object
 *  @throws request.malformed_json, relay.invalid_request */
export function readFrame(data: Frame): JsonObject | undefined {
  const text = textOf(data)
  // What a binary frame holds is often no JSON at all.
  if (typeof data !== 'string' && !/^\s*\{/.test(text)) return undefined
  const members = checkJson(text)
  const frame = parseFrame(data)
  if (!frame) return undefined
  const repeated = repeatedKey(Buffer.from(text), frame, members)
  if (repeated !== undefined) {
    const field = repeated.slice(0, LONGEST_NAME_SHOWN)
    throw relayErrors.invalid({ reason: `${field} is given more than once` }, { field })
  }
  for (const part of [frame, ...Object.values(frame).filter(isObject)]) refusePairs(part)
  return frame
}

/** @throws relay.model_not_allowed, relay.no_available_channel, price.unset */
function delegateOf(
  frame: JsonObject,
  call: AdmittedCall,
  protocol: SessionProtocol,
  deps: AdmitDeps,
): Delegate | undefined {
  const named = protocol.delegateOf?.(frame)
  if (!named) return undefined
  checkBeside(named, call, deps)
  const { name, field } = named
  const { acceptUnsetRatio: acceptUnset, userRole } = call.identity
  const caller = { acceptUnset, isAdmin: userRole >= role.admin, field }
  return { name, price: deps.pricing.snapshot(name, call.group, caller) }
}
