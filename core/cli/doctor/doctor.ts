// `tollgate doctor`: looks at everything that a start needs, and goes on after the first fault.
import type { GatewaySettings } from '../../app/gateway-settings.ts'
import { reasonOf } from '../../app/terminal.ts'
import { readSettings } from '../../app/configuration.ts'
import type { Print } from '../print.ts'
import { checkConsole, checkFolder, checkMemory, checkPort } from './check-machine.ts'
import { checkRedis, checkStores } from './check-stores.ts'
import { fault, type Finding, ok } from './finding.ts'

const WIDTH = 14

/** May run beside a gateway that serves. Writes nothing but the data folder, if it is missing.
 *  @returns the exit code: 1 if there is a fault */
export async function runDoctor(print: Print): Promise<number> {
  const findings = await findingsOf()
  for (const { level, subject, text } of findings)
    print(`${level.padEnd('warning'.length)}  ${subject.padEnd(WIDTH)} ${text}`)
  const [faults, warnings] = [countOf(findings, 'fault'), countOf(findings, 'warning')]
  print(`${faults}, ${warnings}`)
  return findings.some(({ level }) => level === 'fault') ? 1 : 0
}

async function findingsOf(): Promise<Finding[]> {
  let settings: GatewaySettings
  try {
    settings = readSettings()
  } catch (error) {
    return [fault('environment', reasonOf(error))]
  }
  return [
    ok('node', `${process.version}, Tollgate ${settings.version}`),
    ok('environment', 'each variable can be read'),
    checkMemory(settings),
    checkFolder(settings),
    checkConsole(),
    await checkPort(settings),
    await checkRedis(settings),
    ...(await checkStores(settings)),
  ]
}

function countOf(findings: readonly Finding[], level: Finding['level']): string {
  const count = findings.filter((finding) => finding.level === level).length
  return `${count} ${level}${count === 1 ? '' : 's'}`
}
