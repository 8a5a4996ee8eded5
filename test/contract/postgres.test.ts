// What depends on statements once more, on PostgreSQL.
import { afterAll, beforeAll, describe } from 'vitest'
import { type GatewayDatabase, gatewayDatabases } from '../harness/gateway-databases.ts'
import { accountRooms, operationRooms } from './rooms.ts'
import { runRoom } from './run-room.ts'
import { openStage, type Stage } from './stage.ts'

const others = gatewayDatabases.filter(({ name }) => name !== 'SQLite')

describe.each(others)('on $name', (kind) => {
  let database: GatewayDatabase
  let stage: Stage

  beforeAll(async () => {
    database = await kind.open()
    stage = await openStage(database.env)
  })
  afterAll(async () => {
    await stage.close()
    await database.close()
  })

  for (const room of [...operationRooms, ...accountRooms])
    if (room.dependsOnSql) runRoom(room, () => stage)
})
