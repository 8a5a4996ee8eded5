// The shell that the client runs (`shell` without a container, as OpenAI's Agents use it). Source: developers.openai.com, "Shell".
import { asText, isObject, objectsOf, type JsonObject } from '../../contract/json.ts'
import { lines } from '../neutral/server-tool-text.ts'
import type { ClientTool } from './client-tools.ts'

const DESCRIPTION =
  'Runs commands in a shell on the machine of the user and returns what each has printed and its exit code.'

export const shellTool: ClientTool = {
  type: 'shell',
  outputType: 'shell_call_output',
  idPrefix: 'sh',
  declare: ({ body }) => {
    if (!isLocal(body)) return undefined
    const description = lines([DESCRIPTION, ...skillsOf(body)])
    return { description, parameters }
  },
  argumentsIn: (call) => (isLocal(call) ? (isObject(call.action) ? call.action : {}) : undefined),
  resultIn: (output) => (isLocal(output) ? { text: printed(output) } : undefined),
  callFields: (args) => ({
    action: {
      commands: commandsOf(args),
      timeout_ms: wholeOrNull(args.timeout_ms),
      max_output_length: wholeOrNull(args.max_output_length),
    },
    environment: { type: 'local' },
  }),
}

const parameters: JsonObject = Object.freeze({
  type: 'object',
  properties: {
    commands: {
      type: 'array',
      items: { type: 'string' },
      description: 'The commands; they may run at the same time.',
    },
    timeout_ms: { type: 'integer', description: 'Milliseconds that each command may take.' },
    max_output_length: { type: 'integer', description: 'Characters of output to return.' },
  },
  required: ['commands'],
})

/** Other environments are containers of OpenAI's. */
function isLocal({ environment }: JsonObject): boolean {
  return !isObject(environment) || environment.type === 'local'
}

function skillsOf({ environment }: JsonObject): string[] {
  const skills = objectsOf(isObject(environment) ? environment.skills : undefined)
  if (skills.length === 0) return []
  return [
    'Skills, each explained in a file SKILL.md of its folder; read it before the skill is used:',
    ...skills.map(
      ({ name, path, description }) =>
        `- ${asText(name)} (${asText(path)}): ${asText(description)}`,
    ),
  ]
}

function printed({ output }: JsonObject): string {
  if (!Array.isArray(output)) return asText(output)
  return objectsOf(output)
    .map(({ stdout, stderr, outcome }) => {
      const error = asText(stderr)
      return lines([
        asText(stdout).trimEnd(),
        error === '' ? '' : `stderr: ${error.trimEnd()}`,
        endOf(isObject(outcome) ? outcome : {}),
      ])
    })
    .join('\n\n')
}

function endOf({ type, exit_code: code }: JsonObject): string {
  if (type === 'timeout') return 'It took too long and was stopped.'
  return typeof code === 'number' ? `exit code: ${code}` : ''
}

/** Models also write a single command without a list. */
function commandsOf({ commands }: JsonObject): string[] {
  return [commands]
    .flat()
    .map(asText)
    .filter((command) => command !== '')
}

function wholeOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
