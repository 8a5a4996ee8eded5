// Kimi charges each call of its own function `$web_search`, and its usage does not tell of them. Source: platform.kimi.ai/docs/pricing/tools.
import { isObject, objectsOf, type Body, type JsonObject } from '#core'
import { toldSearches } from '#adapter-kit'

export const kimiSearches = toldSearches(({ choices }: Body) => {
  const calls = objectsOf(choices).flatMap(({ message, delta }) =>
    [message, delta].filter(isObject).flatMap((output) => objectsOf(output['tool_calls'])),
  )
  return calls.filter(isSearch).length
})

function isSearch({ function: target }: JsonObject): boolean {
  return isObject(target) && target['name'] === '$web_search'
}
