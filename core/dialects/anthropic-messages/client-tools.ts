// Anthropic's tools that the client runs itself. Only Claude knows what arguments they take, so other models are told them
// as functions. Source: platform.claude.com, "Bash tool", "Text editor tool", "Memory tool".
import type { ToolDeclaration } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'

type Described = Pick<ToolDeclaration, 'description' | 'parameters'>

const text = (description: string): JsonObject => ({ type: 'string', description })

const command = (...values: string[]): JsonObject => ({ type: 'string', enum: values })

const edits = {
  path: text('The file or directory.'),
  view_range: {
    type: 'array',
    items: { type: 'integer' },
    description:
      'For view: the first and the last line to show, from 1; -1 is the end of the file.',
  },
  file_text: text('For create: what the file will hold.'),
  old_str: text('For str_replace: the text to replace, exactly as it is; it must occur once.'),
  new_str: text('For str_replace: the new text.'),
  insert_line: {
    type: 'integer',
    description: 'For insert: the line to insert after; 0 is the start.',
  },
}

const inserted = { insert_text: text('For insert: the text to insert.') }

const bash: Described = {
  description: 'Runs a command in a bash session that keeps its state between calls.',
  parameters: {
    type: 'object',
    properties: {
      command: text('The command; required unless the session is restarted.'),
      restart: { type: 'boolean', description: 'True starts the session anew.' },
    },
  },
}

const editor: Described = {
  description:
    'Shows, creates and edits text files. Each command takes the arguments that name it.',
  parameters: {
    type: 'object',
    properties: {
      command: command('view', 'create', 'str_replace', 'insert'),
      ...edits,
      ...inserted,
    },
    required: ['command', 'path'],
  },
}

/** Before Claude 4 the tool could take its last edit back, and the text to insert had another name. */
const olderEditor: Described = {
  ...editor,
  parameters: {
    type: 'object',
    properties: {
      command: command('view', 'create', 'str_replace', 'insert', 'undo_edit'),
      ...edits,
      new_str: text('For str_replace: the new text. For insert: the text to insert.'),
    },
    required: ['command', 'path'],
  },
}

const memory: Described = {
  description:
    'Keeps notes for later conversations in files below /memories. View that directory before anything else. ' +
    'Each command takes the arguments that name it.',
  parameters: {
    type: 'object',
    properties: {
      command: command('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
      ...edits,
      ...inserted,
      old_path: text('For rename: the file or directory, instead of path.'),
      new_path: text('For rename: its new path.'),
    },
    required: ['command'],
  },
}

/** What a tool of this dated type takes; undefined for those that the provider runs, and for those that need sight of a screen. */
export function clientTool(type: string): Described | undefined {
  if (type.startsWith('bash_')) return bash
  if (type.startsWith('memory_')) return memory
  if (!type.startsWith('text_editor_')) return undefined
  return type < 'text_editor_20250429' ? olderEditor : editor
}
