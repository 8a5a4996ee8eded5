import type { OptionService, RelayHook, RelayView } from 'tollgate/contract'
import type { Counts } from './counts.ts'
import { isKind, type Kind, replaceFinds } from './find.ts'
import { Marks } from './marks.ts'

interface Settings {
  isOn: boolean
  isStrict: boolean
  kinds: ReadonlySet<Kind>
  freeGroups: ReadonlySet<string>
}

/** What has no text to change: sessions of sound, long work. */
const unreadable: ReadonlySet<string> = new Set(['realtime', 'task'])

export function hooks(
  options: Pick<OptionService, 'get' | 'onChange'>,
  counts: Pick<Counts, 'add'>,
): RelayHook[] {
  let settings = read(options)
  options.onChange((key) => {
    if (key.startsWith('Veil')) settings = read(options)
  })
  /** What was hidden in a call, for its answer. */
  const hidden = new WeakMap<RelayView, Marks>()
  return [
    {
      id: 'hide',
      stage: 'relay.request',
      // What could not be hidden is not sent.
      onFailure: 'closed',
      applies: ({ group, operation }) =>
        settings.isOn &&
        !settings.freeGroups.has(group) &&
        (settings.isStrict || !unreadable.has(operation)),
      run(view, draft) {
        const marks = new Marks(view.texts())
        draft.mapTexts((text) =>
          replaceFinds(text, settings.kinds, (kind, found) => {
            counts.add(kind)
            return marks.markFor(kind, found)
          }),
        )
        if (marks.size > 0) hidden.set(view, marks)
      },
    },
    {
      id: 'show',
      stage: 'relay.text',
      onFailure: 'open',
      applies: (view) => hidden.has(view),
      open: (view) => {
        const marks = hidden.get(view)
        return marks && ((text, isEnd) => marks.restore(text, isEnd))
      },
    },
  ]
}

function read(options: Pick<OptionService, 'get'>): Settings {
  const words = (key: string) =>
    options
      .get<string>(key)
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '')
  return {
    isOn: options.get('VeilEnabled'),
    isStrict: options.get('VeilStrict'),
    kinds: new Set(words('VeilKinds').filter(isKind)),
    freeGroups: new Set(words('VeilFreeGroups')),
  }
}
