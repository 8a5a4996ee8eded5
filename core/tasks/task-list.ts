import { literal, Op, where, type WhereOptions } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import type { TaskQuery, TaskService } from '../contract/task.ts'
import { plainRows } from '../data/models/define-model.ts'
import { tasks, toTaskRecord, type StoredTask } from '../data/models/task.ts'

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
      const found = await tasks(database).findAndCountAll({
        where: conditions(query, database.dialect),
        order: [['id', 'DESC']],
        offset,
        limit,
      })
      return { items: plainRows(found.rows).map(toTaskRecord), total: found.count }
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
          ? where(literal(`+${name}`), { [Op.eq]: value })
          : { [name]: value },
      ),
      ...(fromMs === undefined ? [] : [{ submit_ms: { [Op.gte]: fromMs } }]),
      ...(toMs === undefined ? [] : [{ submit_ms: { [Op.lte]: toMs } }]),
    ],
  }
}
