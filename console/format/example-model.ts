/** Parts of names of models that no chat can be held with: embeddings, rankings, sound, pictures, moderation. */
const otherKinds =
  /embed|^bge-|^m3e|rerank|moderation|whisper|transcribe|tts|audio|speech|realtime|-live|image|dall-e|^flux|^imagen|^mj_|^suno|sora|^veo/i

/** The model of a first chat that people copy or send: the usual one where they may call it, else one of its maker, else any that one
 *  can chat with. The usual one also while nothing is known of their models. */
export function exampleModelOf(models: readonly string[], usual: string): string {
  if (models.includes(usual)) return usual
  const chats = models.filter((name) => !otherKinds.test(name))
  const maker = usual.split('-', 1)[0] ?? usual
  return chats.find((name) => name.startsWith(`${maker}-`)) ?? chats[0] ?? models[0] ?? usual
}
