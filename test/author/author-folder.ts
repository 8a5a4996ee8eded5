// Where an author works: a folder outside the repository, and the programs that run there.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface Ran {
  code: number
  output: string
}

export class AuthorFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'tollgate-author-'))

  /** `tollgate …`, called where the author stands. */
  tollgate(...words: string[]): Promise<Ran> {
    return this.tollgateIn({}, ...words)
  }

  /** The same, with other variables of the environment. */
  tollgateIn(env: Record<string, string>, ...words: string[]): Promise<Ran> {
    const cli = join(repository, 'core/cli/tollgate.js')
    return this.#run(process.execPath, [cli, ...words], '.', env)
  }

  /** Files by their names in a folder, whose path comes back. */
  write(folder: string, files: Readonly<Record<string, string>>): string {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.path, folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    return join(this.path, folder)
  }

  /** The tests of a folder, as its own `npm test` runs them. */
  async test(folder: string): Promise<Ran> {
    const built = await this.#npm(folder, 'pretest')
    return built.code === 0 ? this.#run(process.execPath, ['--test'], folder) : built
  }

  typecheck(folder: string): Promise<Ran> {
    return this.#npm(folder, 'typecheck')
  }

  close(): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  #npm(folder: string, script: string): Promise<Ran> {
    return this.#run('npm', ['run', '--silent', '--if-present', script], folder)
  }

  #run(
    program: string,
    words: string[],
    folder: string,
    more: Record<string, string> = {},
  ): Promise<Ran> {
    const bin = join(repository, 'node_modules/.bin')
    const { PATH = '', HOME = '' } = process.env
    // Nothing of the test that starts it: its runner would be told of a run inside a run.
    const env = { PATH: `${bin}:${PATH}`, HOME, ...more }
    const options = { cwd: join(this.path, folder), env }
    return new Promise((resolve) => {
      execFile(program, words, options, (error, output, errors) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: output + errors }),
      )
    })
  }
}
