import { unsupportedParameter } from '../dialects/neutral/request-errors.ts'

/** The texts of an embedding's `input`, for providers that take nothing else.
 *  @throws request.unsupported_parameter for tokens, which only OpenAI's models and their kin can read */
export function embeddingTexts(input: unknown): string[] {
  const texts: unknown[] = Array.isArray(input) ? input : [input]
  if (texts.every((text) => typeof text === 'string')) return texts
  const problem = 'this model takes texts, no tokens (LangChain: check_embedding_ctx_length=False)'
  throw unsupportedParameter('input', problem)
}
