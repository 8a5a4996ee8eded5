import { isOpenaiModel } from '../../dialects/neutral/model-families.ts'

/** For addresses that may belong to anybody. Of OpenAI's own models only those made for it can search; the others
 *  refuse the field. Any other name belongs to a gateway, which handles the field itself, like names with a vendor
 *  (`openai/gpt-…`). */
export function hostMaySearch(model: string): { webSearch: boolean } {
  return { webSearch: !isOpenaiModel(model) || model.includes('-search') || model.includes('/') }
}
