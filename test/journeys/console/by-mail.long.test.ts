// What comes by mail, in both languages (by-mail.ts).
import { describeMails } from './by-mail.ts'

describeMails({ title: 'in English on a desk', language: 'en' })
describeMails({ title: 'in Chinese on a phone', language: 'zh', isOnPhone: true })
