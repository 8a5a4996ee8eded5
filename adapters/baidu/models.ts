// Source: cloud.baidu.com/doc/WENXINWORKSHOP, model list.
export const baiduModels: readonly string[] = [
  'ERNIE-4.0-8K',
  'ERNIE-3.5-8K',
  'ERNIE-3.5-8K-0205',
  'ERNIE-3.5-8K-1222',
  'ERNIE-Bot-8K',
  'ERNIE-3.5-4K-0205',
  'ERNIE-Speed-8K',
  'ERNIE-Speed-128K',
  'ERNIE-Lite-8K-0922',
  'ERNIE-Lite-8K-0308',
  'ERNIE-Tiny-8K',
  'BLOOMZ-7B',
  'Embedding-V1',
  'bge-large-zh',
  'bge-large-en',
  'tao-8k',
]

const SUFFIXES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'ERNIE-4.0-8K': 'completions_pro',
    'ERNIE-4.0': 'completions_pro',
    'ERNIE-Bot-4': 'completions_pro',
    'ERNIE-3.5-8K': 'completions',
    'ERNIE-Bot': 'completions',
    'ERNIE-Bot-turbo': 'eb-instant',
    'ERNIE-Lite-8K-0922': 'eb-instant',
    'ERNIE-Lite-8K-0308': 'ernie-lite-8k',
    'ERNIE-Speed': 'ernie_speed',
    'ERNIE-Speed-8K': 'ernie_speed',
    'ERNIE-Bot-8K': 'ernie_bot_8k',
    'BLOOMZ-7B': 'bloomz_7b1',
    'Embedding-V1': 'embedding-v1',
    'bge-large-zh': 'bge_large_zh',
    'bge-large-en': 'bge_large_en',
    'tao-8k': 'tao_8k',
  }),
)

/** The end of a model's path; most are the name in lower case. */
export function pathSuffix(model: string): string {
  return SUFFIXES.get(model) ?? encodeURIComponent(model.toLowerCase())
}
