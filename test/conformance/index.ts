// npm run conformance -- --fixtures DIR [--only slug[/name]]… [--skip label,…] [--jobs N]
// PLUGIN_DIRS=DIR npm run conformance: the plugins in DIR, as `tollgate conformance` does
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startApp } from '../harness/app.ts'
import { type Fixture, loadFixtures } from './fixture.ts'
import { report } from './report.ts'
import { runFixtures } from './run.ts'

const usage =
  'usage: npm run conformance -- --fixtures DIR [--only slug[/name]]… [--skip label,…] [--jobs N]'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      fixtures: { type: 'string', default: fileURLToPath(new URL('../fixtures', import.meta.url)) },
      only: { type: 'string', multiple: true, default: [] },
      skip: { type: 'string', multiple: true, default: [] },
      jobs: { type: 'string', default: '6' },
    },
  })
  // npm runs scripts in the repository; a relative folder is meant from where the caller stands.
  const directory = resolve(process.env['INIT_CWD'] ?? '.', values.fixtures)
  const { fixtures, faults } = loadFixtures(directory)
  for (const { file, message } of faults) console.error(`✗ ${file}: ${message}`)
  const chosen = fixtures.filter((fixture) => isChosen(fixture, listOf(values.only)))
  if (chosen.length === 0) {
    console.error(`No fixture in ${directory} matches.\n${usage}`)
    return 1
  }
  const results = await runOnFreshGateway(chosen, listOf(values.skip), Number(values.jobs))
  console.log(report(results))
  return faults.length > 0 || results.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}

async function runOnFreshGateway(fixtures: Fixture[], skip: string[], jobs: number) {
  const app = await startApp({ env: { TASK_POLL_SECONDS: '1' } })
  try {
    const results = await runFixtures(fixtures, { root: app.root, skip, jobs })
    const errors = app.process
      .log()
      .split('\n')
      .filter((line) => !isNotice(line))
    if (errors.length > 0) console.log(`The gateway's own errors:\n${errors.join('\n')}\n`)
    return results
  } finally {
    await app.close()
  }
}

/** Warnings are what failing fixtures cause; errors, and lines that are no JSON, are the gateway's own trouble. */
function isNotice(line: string): boolean {
  return /^\{"level":[1-4]0,/.test(line)
}

function isChosen({ slug, name }: Fixture, only: readonly string[]): boolean {
  return only.length === 0 || only.includes(slug) || only.includes(`${slug}/${name}`)
}

function listOf(values: readonly string[]): string[] {
  return values.flatMap((value) => value.split(',')).filter((value) => value !== '')
}

const areOutside = process.argv.length === 2 && (process.env['PLUGIN_DIRS'] ?? '') !== ''
try {
  if (areOutside) await import('../kit/run.ts')
  else process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
