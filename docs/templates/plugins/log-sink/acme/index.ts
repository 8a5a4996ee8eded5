import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { definePlugin } from 'tollgate/contract'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Writes the usage log to a file too', zh: '同时将使用日志写入文件' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['logSinks', 'environment'] },
  server({ logSinks, environment }) {
    const file = environment.read('ACME_FILE') ?? join(environment.dataDir, 'acme.jsonl')
    logSinks.add({
      id: 'acme',
      // One row at a time, after it was committed; five seconds for one.
      write: (row) => {
        const { created_at, type, username, model_name, quota, request_id } = row
        const line = { created_at, type, username, model_name, quota, request_id }
        return appendFile(file, `${JSON.stringify(line)}\n`)
      },
    })
  },
})
