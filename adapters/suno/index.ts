// Suno by a self-hosted Suno-API service. Source: Suno-API/Suno-API, docs/swagger.yaml and entity/po/task.go.
import { defineAdapter } from '#core'
import { readSunoError } from './answers.ts'
import { suno } from './platform.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'suno',
  channelTypes: { 36: 'Suno API' },
  baseUrl: '',
  models: ['suno_music', 'suno_lyrics'],
  prices,
  mark: 'suno',
  makes: ['suno', 'chirp'],
  picker: { section: 'media', aliases: ['music', '音乐', 'song', '歌曲', 'lyrics', '歌词'] },
  summary: 'Suno songs and lyrics through a self-hosted Suno-API service.',
  operations: {},
  tasks: suno,
  isTestable: false,
  readError: readSunoError,
  form: {
    baseUrl: {
      required: true,
      help: {
        en: 'Address of the Suno-API service; /suno/… is appended.',
        zh: 'Suno-API 服务的地址，会在其后追加 /suno/…。',
      },
    },
  },
})
