// tollgate/test: what the tests of plugins and adapters outside the repository import. It knows no test runner: node:test, vitest and others do.
export { type App, type AppOptions, rootAccount } from '../harness/app.ts'
export { type Answer, ApiClient, ApiRefusal } from '../harness/api-client.ts'
export { balanceOf, consumptionRows, type Customer, type ShownLog } from '../harness/shop.ts'
export {
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  type UpstreamBehaviour,
  type UpstreamCall,
  writeEvents,
} from '../harness/scripted-upstream.ts'
export { type FakeUpstream, fakeUpstream, type FakeUpstreamOptions } from '../harness/upstream.ts'
export { conformance, type Outcome, outcomesOf } from './conformance/index.ts'
export { eventually } from './eventually.ts'
export { type TestGateway, testGateway, type TestGatewayOptions } from './gateway.ts'
export { orderAt, ordersOf, type PaymentPage, type ShownOrder } from './paying.ts'
export { type SignInReply, signInAt } from './signing-in.ts'
