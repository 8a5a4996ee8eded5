// Runs fixtures against one gateway: prepares it once, then batch by batch, several cases side by side.
import type { Fixture } from './fixture.ts'
import { type Account, GatewayControl } from './gateway-control.ts'
import { type Batch, type PlannedCase, allModels, planRun } from './plan.ts'
import { type CaseResult, runCase, runRetryCase } from './run-case.ts'
import type { ApiClient } from '../harness/api-client.ts'

export interface FixtureResult {
  slug: string
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  problems: string[]
}

export interface RunOptions {
  /** Signed in as an admin of a fresh gateway. */
  root: ApiClient
  /** Cases in flight at once. */
  jobs?: number
  /** Labels of `requires` to skip. */
  skip?: readonly string[]
}

export async function runFixtures(
  fixtures: readonly Fixture[],
  { root, jobs = 6, skip = [] }: RunOptions,
): Promise<FixtureResult[]> {
  const isSkipped = ({ requires }: Fixture) => requires.some((label) => skip.includes(label))
  const control = new GatewayControl(root)
  const batches = planRun(fixtures.filter((fixture) => !isSkipped(fixture)))
  await prepare(control, fixtures, batches)
  const run = new Run(control)
  for (const batch of batches) await run.batch(batch, jobs)
  await run.lateChecks()
  return fixtures.map((fixture) => resultOf(fixture, isSkipped(fixture), run.problems.get(fixture)))
}

/** Prices for every model, a group for every case, automatic disabling on. */
async function prepare(control: GatewayControl, fixtures: readonly Fixture[], batches: Batch[]) {
  const groups = ['default', ...batches.flatMap(({ cases }) => cases.map(({ group }) => group))]
  const mapOf = <T>(names: readonly string[], value: T) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))
  await control.setOptions({
    AutomaticDisableChannelEnabled: 'true',
    ModelRatio: mapOf(allModels(fixtures), 1),
    GroupRatio: mapOf(groups, 1),
    UserUsableGroups: mapOf(groups, 'conformance'),
  })
}

class Run {
  readonly problems = new Map<Fixture, string[]>()
  readonly #control: GatewayControl
  /** One for each five hundred cases: a user may have a thousand tokens, and each case makes one. */
  readonly #accounts: Promise<Account>[] = []
  #cases = 0
  readonly #later: { fixture: Fixture; check: CaseResult['later'] }[] = []

  constructor(control: GatewayControl) {
    this.#control = control
  }

  async batch({ options, cases }: Batch, jobs: number): Promise<void> {
    const restore = await this.#control.setOptions(options)
    const queue = cases.values()
    const worker = async () => {
      for (const planned of queue) await this.#case(planned)
    }
    await Promise.all(Array.from({ length: Math.min(jobs, cases.length) }, worker))
    await restore()
  }

  /** What must not have happened is only sure when everything else is over. */
  async lateChecks(): Promise<void> {
    const ending = await this.#control.ending()
    for (const { fixture, check } of this.#later) this.#note(fixture, await check(ending))
  }

  async #case({ fixture, kind, group }: PlannedCase): Promise<void> {
    try {
      const account = await (fixture.after.userQuotaDelta !== undefined
        ? this.#control.createUser(group)
        : this.#sharedAccount())
      const room = { control: this.#control, account, group }
      const result = await (kind === 'retry' ? runRetryCase : runCase)(fixture, room)
      this.#note(fixture, result.problems)
      this.#later.push({ fixture, check: result.later })
    } catch (error) {
      this.#note(fixture, [error instanceof Error ? error.message : String(error)])
    }
  }

  #sharedAccount(): Promise<Account> {
    const number = Math.floor(this.#cases++ / 500)
    return (this.#accounts[number] ??= this.#control.createUser(`conformance-${number}`))
  }

  #note(fixture: Fixture, problems: readonly string[]): void {
    this.problems.set(fixture, [...(this.problems.get(fixture) ?? []), ...problems])
  }
}

function resultOf(fixture: Fixture, isSkipped: boolean, problems: string[] = []): FixtureResult {
  const outcome = isSkipped ? 'skipped' : problems.length > 0 ? 'failed' : 'passed'
  return { slug: fixture.slug, name: fixture.name, outcome, problems }
}
