// Where an author works: a folder outside the repository, and the programs that run there.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const repository = new URL('../..', import.meta.url).pathname

export interface Ran {
  code: number
  output: string
}

export class AuthorFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'tollgate-author-'))

  /** `tollgate …`, called where the author stands. */
  tollgate(...words: string[]): Promise<Ran> {
    return this.#run(process.execPath, [join(repository, 'core/cli/index.ts'), ...words], '.')
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

  #run(program: string, words: string[], folder: string): Promise<Ran> {
    const bin = join(repository, 'node_modules/.bin')
    const { PATH = '', HOME = '' } = process.env
    // Nothing of the test that starts it: its runner would be told of a run inside a run.
    const env = { PATH: `${bin}:${PATH}`, HOME }
    const options = { cwd: join(this.path, folder), env }
    return new Promise((resolve) => {
      execFile(program, words, options, (error, output, errors) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: output + errors }),
      )
    })
  }
}
