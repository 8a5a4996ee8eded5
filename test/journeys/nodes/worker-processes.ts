// The processes behind one port.
import type { App } from '#test'

/** Their ids, as the gateway tells them; those that have just died may be among them. */
export async function workerProcesses({ root }: App): Promise<number[]> {
  const { nodes } = await root.get<{ nodes: { host: string }[] }>('/api/live')
  return nodes.map(({ host }) => Number(/\((\d+)\)$/.exec(host)?.[1]))
}
