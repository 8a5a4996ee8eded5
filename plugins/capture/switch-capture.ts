import { type Caller, errorType, manageRow, type PluginServices } from '#core'
import { deleteSubject, insertSubject, selectSubjects } from './capture-sql.ts'
import { MOST_SUBJECTS, type OwnCapture, type Subject, type SubjectBody } from './schema.ts'
import { SUBJECTS_CHANGED, type Subjects } from './subjects.ts'
import { tokenOwner } from './tokens-report.ts'

type Services = Pick<
  PluginServices,
  'accounts' | 'cluster' | 'database' | 'logs' | 'notifications' | 'options' | 'tokens'
>

const MOST_OWN_TOKENS = 100

const subjectUnknown = errorType('capture.subject_unknown', 400, {
  en: 'There is no user or token with this id.',
  zh: '没有该 ID 的用户或令牌。',
})
const notSwitched = errorType('capture.not_switched', 409, {
  en: `It is on already, or ${MOST_SUBJECTS} are, which is the most there may be.`,
  zh: `已经开启，或已达上限 ${MOST_SUBJECTS} 个。`,
})
const notOn = errorType('capture.not_on', 404, {
  en: 'It is not on for this user or token.',
  zh: '该用户或令牌未开启。',
})

export async function listSubjects({ accounts, database }: Services): Promise<Subject[]> {
  const rows = await selectSubjects(database)
  return Promise.all(
    rows.map(async (row) => {
      const userId = row.kind === 'user' ? row.id : await tokenOwner(database, row.id)
      const user = userId === undefined ? undefined : await accounts.find(userId)
      return { ...row, username: user?.username ?? '' }
    }),
  )
}

/** Notifies the owner. @throws capture.subject_unknown, capture.not_switched */
export async function switchOn(
  services: Services,
  subjects: Subjects,
  caller: Caller,
  { kind, id }: SubjectBody,
): Promise<void> {
  const owner = await ownerOf(services, { kind, id })
  const made = await insertSubject(services.database, {
    kind,
    id,
    created_by: caller.username,
    created_at: Math.floor(Date.now() / 1000),
    most: MOST_SUBJECTS,
  })
  if (!made) throw notSwitched()
  await announce(services, subjects)
  const content = `Switched capture on for ${kind} ${id}`
  services.logs.write(manageRow(caller, content, { op: 'capture_on', kind, id }))
  const title = { en: 'Your calls are kept', zh: '您的调用内容将被保存' }
  await services.notifications.notify(owner, {
    kind: 'capture',
    title,
    content: {
      en: 'From now on the requests and answers of {{value}} are kept for {{value}} days, where the operator can read them.',
      zh: '从现在起，{{value}} 的请求与回答将保存 {{value}} 天，站点运营者可以查看。',
    },
    values: [
      kind === 'user'
        ? { en: 'your account', zh: '您的账户' }
        : { en: `your token ${id}`, zh: `您的令牌 ${id}` },
      String(services.options.get<number>('CaptureDays')),
    ],
  })
}

/** Captured calls stay until their time is over. @throws capture.not_on */
export async function switchOff(
  services: Services,
  subjects: Subjects,
  caller: Caller,
  { kind, id }: SubjectBody,
): Promise<void> {
  if (!(await deleteSubject(services.database, { kind, id }))) throw notOn()
  await announce(services, subjects)
  const content = `Switched capture off for ${kind} ${id}`
  services.logs.write(manageRow(caller, content, { op: 'capture_off', kind, id }))
}

/** Whether all calls of the owner are captured, or those of which tokens. */
export async function ownCapture(
  { options, tokens }: Services,
  subjects: Subjects,
  userId: number,
): Promise<OwnCapture> {
  const own = await tokens.list(userId, { offset: 0, limit: MOST_OWN_TOKENS })
  return {
    is_captured: subjects.hasUser(userId),
    tokens: own.items
      .filter(({ id }) => subjects.hasToken(id))
      .map(({ id, name }) => ({ id, name })),
    days: options.get<number>('CaptureDays'),
  }
}

/** Tells all nodes. The bus does not wait for them; this node has applied the change before its admin gets an answer. */
async function announce({ cluster }: Services, subjects: Subjects): Promise<void> {
  await cluster.publish(SUBJECTS_CHANGED, {})
  await subjects.reload()
}

async function ownerOf({ accounts, database }: Services, { kind, id }: SubjectBody) {
  const userId = kind === 'user' ? id : await tokenOwner(database, id)
  const user = userId === undefined ? undefined : await accounts.find(userId)
  if (!user) throw subjectUnknown({}, { field: 'id' })
  return user.id
}
