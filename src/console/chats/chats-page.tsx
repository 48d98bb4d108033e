import { Link, useNavigate } from '@tanstack/react-router';
import { MessagesSquare, Plus, X } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { requestId } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Ago } from '../ui/times.tsx';
import { useRecentChats } from './recent.ts';
import './chats.css';

const LONGEST_ID = 150;

/** A chat is named or begun; those looked at before are remembered by this browser. */
export function ChatsPage() {
  const navigate = useNavigate();
  const [recent, forget] = useRecentChats();
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    document.title = 'Chats – Holdpoint';
  }, []);
  const open = (chatId: string) => void navigate({ to: '/chats/$chatId', params: { chatId } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const id = name.trim();
    if (id === '') return setFailure('Give the id of a chat, or begin a new one.');
    open(id);
  };
  return (
    <div className="chats stack">
      <h1>Chats</h1>
      <p className="muted">
        Messages that pipelines of agents work. A chat is known by the id that its application gave it.
      </p>
      <form className="chats-open" onSubmit={submit} noValidate>
        <div className="field">
          <label htmlFor="chat-id">Chat</label>
          <input
            id="chat-id"
            value={name}
            maxLength={LONGEST_ID}
            autoComplete="off"
            placeholder="its id"
            aria-describedby="chat-id-failure"
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <Button type="submit" look="primary">
          Open
        </Button>
        <Button icon={<Plus aria-hidden size={16} />} onClick={() => open(`chat-${requestId().slice(0, 8)}`)}>
          Begin a new chat
        </Button>
        <p id="chat-id-failure" role="alert" className="field-error">
          {failure}
        </p>
      </form>
      <section aria-labelledby="recent-chats" className="stack">
        <h2 id="recent-chats">Looked at in this browser</h2>
        {recent.length === 0 ? (
          <div className="empty card">
            <MessagesSquare aria-hidden size={28} />
            <p>None yet.</p>
          </div>
        ) : (
          <ul className="chats-recent card">
            {recent.map(({ id, at }) => (
              <li key={id}>
                <Link to="/chats/$chatId" params={{ chatId: id }} className="cut">
                  {id}
                </Link>
                <span className="muted nowrap">
                  <Ago at={new Date(at).toISOString()} />
                </span>
                <button type="button" className="icon-button" aria-label={`Forget ${id}`} onClick={() => forget(id)}>
                  <X aria-hidden size={16} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
