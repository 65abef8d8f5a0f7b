"""The only reader of what RULESPAL_* variables say."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What `RULESPAL_*` variables say; an empty one counts as unset.

    Attributes:
        home: the folder of a player's own data; `RULESPAL_HOME`, or the system's place for it.
        embedder: `RULESPAL_EMBEDDER`, a folder or hub name of a sentence-transformers model.
        game: `RULESPAL_GAME`, the game that questions are about if none is named.
        model: `RULESPAL_MODEL`, the chat model that rewrites answers, as provider:model.
        model_url: `RULESPAL_MODEL_URL`, of a server that speaks the provider's language.
        model_timeout: `RULESPAL_MODEL_TIMEOUT`, seconds that its reply may take.
        model_price: `RULESPAL_MODEL_PRICE`, of a million tokens read and written: "0.15/0.60".
    """

    model_config = SettingsConfigDict(
        env_prefix="RULESPAL_", env_ignore_empty=True, frozen=True, str_strip_whitespace=True
    )

    home: Path | None = None
    embedder: str | None = None
    game: str | None = None
    model: str | None = None
    model_url: str | None = None
    model_timeout: str | None = None
    model_price: str | None = None

    @property
    def home_folder(self) -> Path:
        """The folder for a player's own data; it need not exist."""
        if self.home is not None:
            return Path(os.path.expanduser(self.home))  # Path's own raises for ~nobody
        import platformdirs

        return platformdirs.user_data_path("rulespal", appauthor=False)
