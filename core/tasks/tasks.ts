import type { Contributions, RouteContribution } from '../kernel/contributions.ts'
import { createClientHooks } from './client-hooks.ts'
import { pollTasksJob } from './poll-tasks.ts'
import type { TaskDeps } from './task-deps.ts'
import { createTaskList } from './task-list.ts'
import { taskRoutes, type TaskRouteDeps } from './task-routes.ts'
import { TaskStore } from './task-store.ts'

export interface TaskSettings {
  pollSeconds: number
  /** UPDATE_TASK: whether this node polls. */
  isPolling: boolean
}

type TaskServices = Omit<TaskDeps, 'store' | 'hooks'>

/** Everything in core that task platforms need. The platforms belong to a generation. */
export function createTasks(services: TaskServices, settings: TaskSettings) {
  const deps: TaskDeps = {
    ...services,
    store: new TaskStore(services.database),
    hooks: createClientHooks(services),
  }
  return {
    list: createTaskList(services.database),
    /** Adds the poller to a generation, before its jobs start. */
    addJobs(contributions: Contributions): void {
      const platforms = contributions.taskPlatforms.list()
      if (!settings.isPolling || platforms.length === 0) return
      const job = pollTasksJob(platforms, deps, { everySeconds: settings.pollSeconds })
      contributions.jobs.add('core', job)
    },
    /** The routes of each platform, so that a wrong address is blamed on its owner. */
    routes(contributions: Contributions, relay: TaskRouteDeps['relay']): RouteContribution[] {
      return contributions.taskPlatforms.owned().map(({ owner, entry }) => ({
        owner,
        isMade: true,
        register: (app) => taskRoutes(app, [entry], { tasks: deps, relay }),
      }))
    },
  }
}
