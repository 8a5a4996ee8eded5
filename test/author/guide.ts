// A guide of docs/guides as something that runs: its snippets are done in their order, in a folder outside the repository.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface Snippet {
  /** Of the fence, in the page. */
  line: number
  language: string
  /** What stands behind the language: a file's name, or `serves` of a command that runs until it is stopped. */
  info: string
  text: string
}

export function snippetsOf(page: string): Snippet[] {
  const snippets: Snippet[] = []
  let open: Snippet | undefined
  for (const [index, line] of page.split('\n').entries()) {
    const fence = /^```(\w*)\s*(.*)$/.exec(line)
    if (!fence) {
      if (open) open.text += `${line}\n`
    } else if (open) {
      snippets.push(open)
      open = undefined
    } else open = { line: index + 1, language: fence[1] ?? '', info: fence[2] ?? '', text: '' }
  }
  return snippets
}

const files = new Set(['ts', 'tsx', 'js', 'json', 'css'])

/** What nobody would run, as sentences. */
export function unexecuted(snippets: readonly Snippet[]): string[] {
  return snippets.flatMap(({ line, language, info }) => {
    if (language === 'text') return []
    if (language === 'sh')
      return info === '' || info === 'serves' ? [] : [`line ${line}: sh ${info}`]
    if (!files.has(language)) return [`line ${line}: "${language}" is run by nobody`]
    return /^[\w./-]+\.\w+$/.test(info) ? [] : [`line ${line}: a file without a name`]
  })
}

/** How long one command may take on a loaded machine. */
const LIMIT_MS = 240_000

export class GuideRun {
  readonly #root = mkdtempSync(join(tmpdir(), 'tollgate-guide-'))
  readonly #bin = join(this.#root, '.bin')
  #folder = this.#root

  constructor() {
    mkdirSync(this.#bin)
    symlinkSync(join(repository, 'core/cli/tollgate.js'), join(this.#bin, 'tollgate'))
  }

  /** @throws Error that names the line and holds what the command said */
  async run(snippet: Snippet): Promise<void> {
    const { language, info, text, line } = snippet
    if (files.has(language)) {
      const path = join(this.#folder, info)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    } else if (language === 'sh') {
      const said = await this.#shell(text, info === 'serves')
      if (said !== undefined) throw new Error(`line ${line}: ${text}\n${said}`)
    }
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  /** What it printed, when it failed. */
  async #shell(text: string, serves: boolean): Promise<string | undefined> {
    const where = join(this.#root, '.pwd')
    const script = serves ? `exec ${text.trim()}` : `set -e\n${text}\npwd > '${where}'`
    const { HOME = '', PATH = '' } = process.env
    const child = spawn('bash', ['-c', script], {
      cwd: this.#folder,
      env: {
        HOME,
        PATH: `${this.#bin}:${join(repository, 'node_modules/.bin')}:${PATH}`,
        PORT: '0',
        HOST: '127.0.0.1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    })
    const lines: string[] = []
    const take = (line: string) => {
      lines.push(line)
      // It serves: whoever reads the page has seen enough and presses Ctrl-C.
      if (serves && /https?:\/\/[\w.]+:\d+/.test(line)) child.kill('SIGINT')
    }
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', take)
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) return lines.join('\n')
    if (!serves) this.#folder = readFileSync(where, 'utf8').trim()
    return undefined
  }
}
