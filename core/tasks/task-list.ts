import { literal, Op, type Order, where as equals, type WhereOptions } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import type { TaskQuery, TaskService } from '../contract/task.ts'
import { tasks, toTaskRecord, type StoredTask } from '../data/models/task.ts'
import { pageOf } from '../data/page-of.ts'

const columns = {
  screen: 'screen',
  userId: 'user_id',
  channelId: 'channel_id',
  platform: 'platform',
  taskId: 'task_id',
  action: 'action',
  status: 'status',
} as const satisfies Record<Exclude<keyof TaskQuery, 'fromMs' | 'toMs'>, keyof StoredTask>

/** Columns with few rows per value. SQLite has no statistics here, considers all indexes equally good, and might walk a
 *  million rows of a screen for one customer. If one of these columns is filtered, the other conditions are written so
 *  that they use no index. */
const fewest = ['task_id', 'user_id'] as const

/** Reads task rows for the log screens of the console. */
export function createTaskList(database: DatabaseService): TaskService {
  return {
    list: async (query, { offset, limit }) => {
      const where = conditions(query, database.dialect)
      const order: Order = [['id', 'DESC']]
      const page = { offset, limit }
      const { rows, total } = await pageOf(tasks(database), { where, order }, page)
      return { items: rows.map(toTaskRecord), total }
    },
  }
}

function conditions(
  { fromMs, toMs, ...equal }: TaskQuery,
  dialect: DatabaseService['dialect'],
): WhereOptions<StoredTask> {
  const given = Object.entries(equal).filter(([, value]) => value !== undefined)
  const named = given.map(([key, value]) => [columns[key as keyof typeof equal], value] as const)
  const few = fewest.find((column) => named.some(([name]) => name === column))
  return {
    [Op.and]: [
      ...named.map(([name, value]) =>
        dialect === 'sqlite' && few !== undefined && name !== few
          ? equals(literal(`+${name}`), { [Op.eq]: value })
          : { [name]: value },
      ),
      ...(fromMs === undefined ? [] : [{ submit_ms: { [Op.gte]: fromMs } }]),
      ...(toMs === undefined ? [] : [{ submit_ms: { [Op.lte]: toMs } }]),
    ],
  }
}
