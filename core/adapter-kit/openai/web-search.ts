import { isOpenaiModel } from '../../dialects/neutral/model-families.ts'

/** For an address that may be anybody's: of OpenAI's own models those made for it search, the others refuse the wish; other names are at a gateway, which
 *  knows what to do, as are those of many vendors (`openai/gpt-…`). */
export function hostMaySearch(model: string): { webSearch: boolean } {
  return { webSearch: !isOpenaiModel(model) || model.includes('-search') || model.includes('/') }
}
