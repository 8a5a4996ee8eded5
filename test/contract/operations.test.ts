// The second document of the console API, against a whole gateway on SQLite: channels, tokens, logs, tasks, prices.
import { afterAll, beforeAll } from 'vitest'
import { operationRooms } from './rooms.ts'
import { runRoom } from './run-room.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

for (const room of operationRooms) runRoom(room, () => stage)
