// Edits of files that the client makes (`apply_patch`, as OpenAI's Agents use it). Source: developers.openai.com, "Apply patch".
import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import { lines } from '../neutral/server-tool-text.ts'
import type { ClientTool } from './client-tools.ts'

const DESCRIPTION =
  'Creates, changes or deletes one file. A diff consists of hunks. Each begins with a line @@, which may name the class or function that ' +
  'the hunk is in. Of the lines that follow, those that stay begin with a space, those that go with - and those that come with +; three ' +
  'lines that stay should stand before and after a change. The diff of a new file is its lines, each with + in front, without @@.'

const kinds = ['create_file', 'update_file', 'delete_file']

export const patchTool: ClientTool = {
  type: 'apply_patch',
  outputType: 'apply_patch_call_output',
  idPrefix: 'apc',
  declare: () => ({ description: DESCRIPTION, parameters }),
  argumentsIn: ({ operation }) => (isObject(operation) ? operation : {}),
  resultIn: ({ status, output }) =>
    status === 'failed'
      ? { text: lines(['The patch was not applied.', asText(output)]), isError: true }
      : { text: asText(output) || 'The patch was applied.' },
  callFields: (args) => ({ operation: operationOf(args) }),
}

const parameters: JsonObject = Object.freeze({
  type: 'object',
  properties: {
    type: { type: 'string', enum: kinds },
    path: { type: 'string', description: 'The file.' },
    diff: { type: 'string', description: 'For create_file and update_file.' },
  },
  required: ['type', 'path'],
})

function operationOf(args: JsonObject): JsonObject {
  const kind = asText(args.type)
  const type = kinds.includes(kind) ? kind : 'update_file'
  const path = asText(args.path)
  return type === 'delete_file' ? { type, path } : { type, path, diff: asText(args.diff) }
}
