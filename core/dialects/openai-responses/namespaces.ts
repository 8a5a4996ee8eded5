// Tools of the type `namespace` contain functions. OpenAI gets them unchanged; other upstreams get separate functions,
// and the calls in the answer name the namespace again.
import type { ChatRequest, ToolDeclaration } from '../../contract/neutral.ts'
import { compact, type Fields } from '../neutral/fields.ts'
import { freeformTool } from '../neutral/freeform-tools.ts'
import { unsupportedTool } from '../neutral/request-errors.ts'
import { namesApart } from '../neutral/tool-names.ts'
import { parseClientTool } from './client-tools.ts'

/** How a client of this dialect names a tool. */
export interface OwnName {
  name: string
  namespace?: string
}

/** Reads the declaration of a function, of a custom tool, or of a tool of OpenAI's that the client runs.
 *  @returns undefined for a tool of another type */
export function parseDeclaration(tool: Fields): ToolDeclaration | undefined {
  switch (tool.requiredText('type')) {
    case 'function':
      return {
        name: tool.requiredText('name'),
        ...compact({
          description: tool.text('description'),
          parameters: tool.object('parameters'),
          strict: tool.flag('strict'),
        }),
      }
    case 'custom':
      return freeformTool(
        tool.requiredText('name'),
        tool.text('description'),
        tool.object('format'),
      )
    default:
      return parseClientTool(tool)
  }
}

/** @throws request.unsupported_parameter for a tool in the namespace that is neither a function nor a custom tool */
export function parseNamespace(group: Fields): ToolDeclaration[] {
  const namespace = group.requiredText('name')
  const about = group.text('description')
  return group.items('tools').map((tool, index) => {
    const declared = parseDeclaration(tool)
    if (declared === undefined || declared.ofClient !== undefined) {
      throw unsupportedTool({ kind: 'other', dialect: 'openai-responses', raw: tool.body })
    }
    const description = described(declared.description, about, index === 0)
    return {
      ...declared,
      ...(description === undefined ? {} : { description }),
      namespace: { name: namespace, tool: declared.name },
    }
  })
}

/** The description of the namespace is added to its first tool, and to those that have none. */
function described(
  own: string | undefined,
  about: string | undefined,
  isFirst: boolean,
): string | undefined {
  return own !== undefined && about !== undefined && isFirst ? `${own}\n\n${about}` : (own ?? about)
}

/** Gives each tool a unique name: its own, with the namespace in front if several tools have the same name, and with a
 *  number if it is one of OpenAI's and a function has the same name. */
export function separateNames(declared: readonly ToolDeclaration[]): ToolDeclaration[] {
  const tools = withoutRepeats(declared)
  const counts = new Map<string, number>()
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1)
  const own = tools.filter((tool) => !tool.namespace && !tool.ofClient).map(({ name }) => name)
  const nameApart = namesApart(new Set(own))
  return tools.map((tool) => {
    const { namespace, name, ofClient } = tool
    if (namespace === undefined) return ofClient ? { ...tool, name: nameApart(name) } : tool
    const isShared = (counts.get(name) ?? 0) > 1
    const separator = namespace.name.endsWith('__') ? '' : '__'
    return { ...tool, name: nameApart(isShared ? namespace.name + separator + name : name) }
  })
}

/** Tools that the client runs have no names, and an item that adds tools may declare one again. The last one counts. */
function withoutRepeats(tools: readonly ToolDeclaration[]): readonly ToolDeclaration[] {
  const last = new Map(tools.flatMap((tool) => (tool.ofClient ? [[tool.name, tool] as const] : [])))
  return tools.flatMap((tool) => {
    if (!tool.ofClient) return [tool]
    const kept = last.get(tool.name)
    last.delete(tool.name)
    return kept ?? []
  })
}

/** Finds the neutral name of a tool that a client names. */
export interface Names {
  nameOf(name: string, namespace: string | undefined): string
  /** Of a tool that the client runs, by its type. */
  ofClient(type: string): string
}

export function neutralNames(tools: readonly ToolDeclaration[]): Names {
  const known = new Map<string, string>()
  const types = new Map<unknown, string>()
  for (const { name, namespace, ofClient } of tools) {
    if (namespace !== undefined) known.set(keyOf(namespace.tool, namespace.name), name)
    if (ofClient !== undefined) types.set(ofClient.type, name)
  }
  return {
    nameOf: (name, namespace) =>
      namespace === undefined ? name : (known.get(keyOf(name, namespace)) ?? name),
    ofClient: (type) => types.get(type) ?? type,
  }
}

function keyOf(name: string, namespace: string): string {
  return JSON.stringify([namespace, name])
}

/** Finds the client's names again. An upstream that got the client's own tools names the namespace itself. */
export function ownNames(
  request: Pick<ChatRequest, 'tools'> | undefined,
): (name: string, namespace?: string) => OwnName {
  const known = new Map<string, OwnName>()
  for (const { name, namespace } of request?.tools ?? []) {
    if (namespace !== undefined) {
      known.set(name, { name: namespace.tool, namespace: namespace.name })
    }
  }
  return (name, namespace) =>
    namespace === undefined ? (known.get(name) ?? { name }) : { name, namespace }
}
