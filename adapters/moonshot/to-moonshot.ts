// Source: platform.kimi.ai/docs, pages "Model Parameter Reference", "Thinking effort" and "Chat".
import type { AttemptContext, Body, ThoughtRecall } from '#core'
import {
  clamped,
  fitEffort,
  isThinkingOff,
  namedToolOnly,
  without,
  withoutDeveloperRole,
  withoutForcedCall,
  withoutRefused,
  withThinkingSwitch,
  withThoughtsBack,
} from '#adapter-kit'

/** Each Kimi model accepts a single value of these and refuses any other, so they are left out. */
const FIXED = ['temperature', 'top_p', 'n', 'presence_penalty', 'frequency_penalty'] as const

/** Moonshot has no developer role, and temperatures up to 1 instead of 2. */
export function toMoonshot(
  body: Body,
  { model, drop }: AttemptContext,
  memory?: ThoughtRecall,
): Body {
  const accepted = withoutDeveloperRole(body)
  const version = versionOf(model)
  if (version === undefined || version < 2.5) return clamped(accepted, 'temperature', { max: 1 })
  const plain = withoutRefused(accepted, FIXED, drop)
  const fitted = version >= 3 ? withEffort(plain, drop) : withSwitch(plain, version, drop)
  // Kimi refuses a tool call in the history that comes without its thoughts.
  return isThinkingOff(fitted) ? fitted : withThoughtsBack(fitted, memory)
}

/** 2.5 for kimi-k2.5; undefined for moonshot-v1 and names without a number. */
function versionOf(model: string): number | undefined {
  const version = /^kimi-k(\d+(?:\.\d+)?)/.exec(model)?.[1]
  return version === undefined ? undefined : Number(version)
}

/** K3 always thinks. It can be forced to call a tool, but not which of several. */
function withEffort(body: Body, drop: (field: string) => void): Body {
  return fitEffort(namedToolOnly(body, 'required'), ['high', 'low', 'max'], drop)
}

/** K2.5 and K2.6 have a switch for thinking and refuse an effort beside it; K2.7 always thinks. */
function withSwitch(body: Body, version: number, drop: (field: string) => void): Body {
  const canBeOff = version < 2.7
  const switched = canBeOff ? withThinkingSwitch(body) : fitEffort(body, [], drop)
  return without(withoutForcedCall(switched, canBeOff, drop), 'reasoning_effort')
}
