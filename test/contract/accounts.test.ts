// The first document of the console API, against a whole gateway on SQLite: accounts, sign-in, options, wallet.
import { afterAll, beforeAll } from 'vitest'
import { accountRooms } from './rooms.ts'
import { runRoom } from './run-room.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

for (const room of accountRooms) runRoom(room, () => stage)
