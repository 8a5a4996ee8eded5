import { splitList } from './comma-list.ts'
import type { RelayView } from './relay.ts'

/** Whether this names the model; a star at its end stands for any rest. */
export function isModelNamed(model: string, name: string): boolean {
  return name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : model === name
}

/** Which calls a rule means that is narrowed to groups and models, each a comma list; an empty one means all of them. */
export function narrowedTo(lists: {
  groups: string
  models: string
}): (call: Pick<RelayView, 'group' | 'model'>) => boolean {
  const groups = new Set(splitList(lists.groups))
  const models = splitList(lists.models)
  return ({ group, model }) =>
    (groups.size === 0 || groups.has(group)) &&
    (models.length === 0 || models.some((name) => isModelNamed(model, name)))
}
