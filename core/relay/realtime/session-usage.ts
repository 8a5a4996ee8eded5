// Sums of what a session has used.
import type { DelegatedUsage, Usage } from '../../contract/neutral.ts'
import { addCalls, noUsage } from '../../dialects/neutral/usage.ts'

export function sumOf(left: Usage, right: Usage): Usage {
  const isEstimated = left.isEstimated || right.isEstimated
  const toolCalls = addCalls(left.toolCalls, right.toolCalls)
  const delegated = addDelegated(left.delegated, right.delegated)
  const cacheWrite12h = (left.cacheWrite12h ?? 0) + (right.cacheWrite12h ?? 0)
  return {
    input: left.input + right.input,
    longestPrompt: Math.max(promptOf(left), promptOf(right)),
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite5m: left.cacheWrite5m + right.cacheWrite5m,
    cacheWrite1h: left.cacheWrite1h + right.cacheWrite1h,
    ...(cacheWrite12h > 0 ? { cacheWrite12h } : {}),
    inputAudio: left.inputAudio + right.inputAudio,
    inputImage: left.inputImage + right.inputImage,
    output: left.output + right.output,
    reasoning: left.reasoning + right.reasoning,
    outputAudio: left.outputAudio + right.outputAudio,
    outputImage: left.outputImage + right.outputImage,
    ...(isEstimated ? { isEstimated } : {}),
    ...(toolCalls ? { toolCalls } : {}),
    ...(delegated ? { delegated } : {}),
  }
}

function promptOf({ longestPrompt, input }: Usage): number {
  return longestPrompt ?? input
}

type Delegated = Usage['delegated']

function addDelegated(left: Delegated, right: Delegated): Delegated {
  if (!left || !right) return left ?? right
  const sums = new Map(left.map((one) => [one.model, one]))
  for (const one of right) {
    const { model, calls, usage } = one
    const sum = sums.get(model)
    const both = sum && { model, calls: sum.calls + calls, usage: sumOf(sum.usage, usage) }
    sums.set(model, both ?? one)
  }
  return [...sums.values()]
}

/** `all` without `part`, which is a former sum of the same session. */
export function differenceOf(all: Usage, part: Usage): Usage {
  if (part === noUsage) return all
  const counts = Object.entries(all).map(([name, count]) => [
    name,
    typeof count === 'number' && name !== 'longestPrompt'
      ? count - Number(part[name as keyof Usage] ?? 0)
      : count,
  ])
  const difference = Object.fromEntries(counts) as Usage
  const taken =
    part.toolCalls && Object.entries(part.toolCalls).map(([tool, count]) => [tool, -count])
  const toolCalls = addCalls(
    all.toolCalls,
    taken && (Object.fromEntries(taken) as Record<string, number>),
  )
  const delegated = all.delegated?.map((one) => withoutFormer(one, part.delegated))
  return {
    ...difference,
    ...(toolCalls ? { toolCalls } : {}),
    ...(delegated ? { delegated } : {}),
  }
}

function withoutFormer(one: DelegatedUsage, formers: Delegated): DelegatedUsage {
  const former = formers?.find(({ model }) => model === one.model)
  if (!former) return one
  return {
    model: one.model,
    calls: one.calls - former.calls,
    usage: differenceOf(one.usage, former.usage),
  }
}
