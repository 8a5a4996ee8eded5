// What another gateway keeps in columns of its own is part of a channel's setting here.
import { readHeaderLines } from '../channels/request-headers.ts'
import type { JsonObject } from '../contract/json.ts'
import type { Family } from './family.ts'
import type { ImportReport } from './import-report.ts'
import type { OldRow } from './old-row.ts'

/** The setting, without what cannot be said here; that is named in the report. */
export function settingOf(row: OldRow, family: Family, report: ImportReport): string {
  const setting = row.object('setting')
  const added = {
    ...severalKeysOf(row),
    ...promptOf(row, setting),
    ...otherSettingsOf(row, family, report),
    ...headersOf(row, report),
  }
  if (Object.keys(added).length === 0) return row.text('setting')
  return JSON.stringify({ ...setting, ...added })
}

function severalKeysOf(row: OldRow): JsonObject {
  const info = row.object('channel_info')
  if (info['is_multi_key'] !== true) return {}
  const mode = info['multi_key_mode'] === 'polling' ? 'polling' : 'random'
  return { multi_key: true, multi_key_mode: mode }
}

/** One-api's prompt takes the place of the client's; new-api has it in the setting, under the same names as here. */
function promptOf(row: OldRow, setting: JsonObject): JsonObject {
  const text = row.text('system_prompt')
  if (text.trim() === '' || setting['system_prompt']) return {}
  return { system_prompt: text, system_prompt_override: true }
}

/** New-api's second column of settings. */
function otherSettingsOf(
  row: OldRow,
  { settingsInKeys }: Family,
  report: ImportReport,
): JsonObject {
  const { allow_service_tier: mayPassTier, ...others } = row.object('settings')
  const names = Object.keys(others).filter((name) => others[name] && !settingsInKeys.includes(name))
  for (const name of names)
    report.leaveOut('settings of channels', `${name} does not exist here`, row.text('id'))
  return mayPassTier === true ? { allow_service_tier: true } : {}
}

/** An object of names and values there, lines here. Values with placeholders, and names that are patterns, stay behind. */
function headersOf(row: OldRow, report: ImportReport): JsonObject {
  const lines: string[] = []
  for (const [name, value] of Object.entries(row.object('header_override'))) {
    const line = `${name}: ${String(value)}`
    const isTaken =
      typeof value === 'string' &&
      !/[{}\n]/.test(line) &&
      readHeaderLines([...lines, line].join('\n')).faultyLine === undefined
    if (isTaken) lines.push(line)
    else
      report.leaveOut(
        'headers of channels',
        'they cannot be set or have a placeholder',
        `${row.text('id')} ${name}`,
      )
  }
  return lines.length === 0 ? {} : { headers: lines.join('\n') }
}
