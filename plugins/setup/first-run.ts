import { errorType, isSameSecret, type PluginServices, role } from '#core'
import type { SetupBody, SetupState } from './schema.ts'
import { hasSetupRow, writeOptions, writeSetupRow } from './setup-sql.ts'

export const setupDone = errorType('setup.done', 409, {
  en: 'The system has been initialized already.',
  zh: '系统已经初始化完成。',
})
const tokenWrong = errorType('setup.token_wrong', 403, {
  en: 'The setup token is missing or wrong. It is the SETUP_TOKEN of the server.',
  zh: '初始化令牌缺失或错误，请填写服务器的 SETUP_TOKEN。',
})
const usernameMissing = errorType('setup.username_missing', 400, {
  en: 'Please enter the admin username.',
  zh: '请输入管理员用户名。',
})
const passwordsDiffer = errorType('setup.passwords_differ', 400, {
  en: 'The two passwords do not match.',
  zh: '两次输入的密码不一致。',
})

type Services = Pick<
  PluginServices,
  'accounts' | 'cluster' | 'database' | 'environment' | 'options' | 'secrets'
>

const TOPIC = 'setup.done'
const ROOT_QUOTA = 100_000_000

export interface FirstRun {
  readonly isDone: boolean
  state(): Promise<SetupState>
  /** @throws setup.done, setup.token_wrong, setup.username_missing, setup.passwords_differ, account.* */
  finish(body: SetupBody): Promise<void>
}

export async function createFirstRun(services: Services): Promise<FirstRun> {
  const { accounts, cluster, database, environment, options } = services
  let isDone = false
  const read = async (): Promise<void> => {
    isDone ||= await wasDone(services)
  }
  cluster.subscribe(TOPIC, read, read)
  await read()

  return {
    get isDone() {
      return isDone
    },

    async state() {
      const needsToken = environment.setupToken !== ''
      if (isDone) {
        return { status: true, root_init: false, database_type: '', needs_setup_token: false }
      }
      return {
        status: false,
        root_init: await accounts.rootExists(),
        database_type: database.dialect,
        needs_setup_token: needsToken,
      }
    },

    async finish(body) {
      if (isDone) throw setupDone()
      checkToken(services, body.setup_token ?? '')
      const root = (await accounts.rootExists()) ? undefined : readRoot(body)
      const modes = {
        SelfUseModeEnabled: String(body.SelfUseModeEnabled ?? false),
        DemoSiteEnabled: String(body.DemoSiteEnabled ?? false),
      }
      await database.transaction(async (transaction) => {
        if (!(await writeSetupRow(database, environment.version, transaction))) throw setupDone()
        if (root) await accounts.create({ ...root, transaction })
        await writeOptions(database, modes, transaction)
      })
      isDone = true
      // The rows exist already; this makes every node read them.
      await options.setMany(modes)
      await cluster.publish(TOPIC, {})
    },
  }
}

/** True as well where another program created the super admin; the missing row is written then. */
async function wasDone({ accounts, database, environment }: Services): Promise<boolean> {
  if (await hasSetupRow(database)) return true
  if (!(await accounts.rootExists())) return false
  await writeSetupRow(database, environment.version)
  return true
}

function checkToken({ environment, secrets }: Services, given: string): void {
  if (environment.setupToken === '') return
  // Hashed first, so that not even its length can be measured.
  const hashOf = (text: string) => secrets.lookup('code', text)
  if (!isSameSecret(hashOf(given), hashOf(environment.setupToken)))
    throw tokenWrong({}, { field: 'setup_token' })
}

function readRoot(body: SetupBody) {
  const username = (body.username ?? '').trim()
  const password = body.password ?? ''
  if (username === '') throw usernameMissing({}, { field: 'username' })
  if (password !== (body.confirmPassword ?? '')) {
    throw passwordsDiffer({}, { field: 'confirmPassword' })
  }
  return {
    username,
    password,
    display_name: 'Root User',
    role: role.root,
    quota: ROOT_QUOTA,
    by: 'setup' as const,
  }
}
