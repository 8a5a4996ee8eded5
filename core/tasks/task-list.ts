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

/**
 * What has few rows. SQLite has no statistics here, takes all indexes for equally good and walks a screen's million rows for one customer's:
 * beside one of these, the others are said so that no index is used for them.
 */
const fewest = ['task_id', 'user_id'] as const

/** Reads the task rows for the log screens of the console. */
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
