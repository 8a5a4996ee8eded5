import { definePlugin } from 'tollgate/contract'
import { dialect } from './dialect.ts'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Serves programs that speak Acme', zh: '为使用 Acme 接口的程序提供服务' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['dialects'] },
  server: ({ dialects }) => dialects.add(dialect),
})
