// `models` in a chat body: names to try in order, if the one before has no channel or fails in a way that another model may avoid.
import type { FastifyReply } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import { admitCall, keepFromFastify, relay, runCall } from '../relay.ts'
import { overHttp } from '../call/call-kind.ts'
import type { AdmittedCall, ReadCall } from '../call/relay-call.ts'
import type { AdmitDeps, HookDeps, CallDeps } from '../call/relay-deps.ts'

const unserved = new Set(['model_not_found', 'no_available_channel'])

/** As `relay`, for all models that the caller named. Each is priced and reserved as if it had been asked for alone. */
export async function relayAny(
  input: ReadCall,
  reply: FastifyReply,
  deps: CallDeps,
): Promise<void> {
  const last = input.fallbacks?.at(-1)
  if (!input.fallbacks || last === undefined) return relay(input, reply, deps)
  for (const model of [input.requestedModel, ...input.fallbacks.slice(0, -1)]) {
    const call = await servedCall(withModel(input, model), reply, deps)
    if (!call) continue
    noteOrigin(call, input)
    if ((await runCall(call, overHttp, deps, { isLast: false })) === 'answered')
      return keepFromFastify(reply)
  }
  const call = await admitCall(withModel(input, last), reply, deps)
  noteOrigin(call, input)
  await runCall(call, overHttp, deps)
  keepFromFastify(reply)
}

/** Undefined if no channel serves the model. @throws every other refusal */
async function servedCall(
  input: ReadCall,
  reply: FastifyReply,
  deps: AdmitDeps & HookDeps,
): Promise<AdmittedCall | undefined> {
  try {
    return await admitCall(input, reply, deps)
  } catch (error) {
    if (error instanceof AppError && unserved.has(error.relayCode ?? '')) return undefined
    throw error
  }
}

function withModel(input: ReadCall, model: string): ReadCall {
  if (model === input.requestedModel) return input
  const body = { ...input.body, model }
  return { ...input, requestedModel: model, body, bytes: Buffer.from(JSON.stringify(body)) }
}

function noteOrigin(call: AdmittedCall, input: ReadCall): void {
  if (call.requestedModel !== input.requestedModel) call.notes['fallback_of'] = input.requestedModel
}
