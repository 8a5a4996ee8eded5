// #test: what tests beside the code may import.
export { testAdapter } from './harness/adapters/adapter-contract.ts'
export { ApiClient, ApiRefusal, type Answer } from './harness/api-client.ts'
export { type App, type AppOptions, rootAccount, startApp } from './harness/app.ts'
export { type FixedClock, fixedClock } from './harness/clock.ts'
export { databaseKinds } from './harness/databases.ts'
export { type InjectAnswer, InjectClient } from './harness/inject-client.ts'
export { createPluginApp, type PluginApp } from './harness/plugin-app.ts'
export { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
export { anthropicClient, openaiClient } from './harness/sdk.ts'
export { relayRoom, type RelayRoom } from './harness/relay-room.ts'
export {
  addChannel,
  addCustomer,
  balanceOf,
  channelType,
  consumptionRows,
  type Customer,
  errorRows,
  setPrice,
  setPrices,
  type ShownLog,
} from './harness/shop.ts'
export {
  flushed,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  type UpstreamBehaviour,
  type UpstreamCall,
  writeEvents,
} from './harness/scripted-upstream.ts'
export { fakeUpstream, type FakeUpstream, type FakeUpstreamOptions } from './harness/upstream.ts'
