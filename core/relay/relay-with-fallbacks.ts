// `models` in a chat body: names to try in order, if the one before has no channel or fails in a way that another model may avoid.
import type { FastifyReply } from 'fastify'
import { AppError } from '../contract/errors.ts'
import { overHttp } from './call/call-kind.ts'
import type { AdmittedCall, ReadCall } from './call/relay-call.ts'
import type { AdmitDeps, CallDeps, HookDeps } from './call/relay-deps.ts'
import { admitCall, keepFromFastify, relay, runCall } from './relay.ts'

const unserved = new Set(['model_not_found', 'no_available_channel'])

/** As `relay`, for all models that the caller named. Each is priced and reserved as if it had been asked for alone. */
export async function relayWithFallbacks(
  input: ReadCall,
  reply: FastifyReply,
  deps: CallDeps,
): Promise<void> {
  if (!input.fallbacks?.length) return relay(input, reply, deps)
  const models = [input.requestedModel, ...input.fallbacks]
  for (const [index, model] of models.entries()) {
    const isLast = index === models.length - 1
    const admit = isLast ? admitCall : servedCall
    const call = await admit(withModel(input, model), reply, deps)
    if (!call) continue
    if (index > 0) call.notes['fallback_of'] = input.requestedModel
    if ((await runCall(call, overHttp, deps, { isLast })) === 'answered') break
  }
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
